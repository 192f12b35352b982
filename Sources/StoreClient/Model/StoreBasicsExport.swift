// `Timestamp` and `UUIDv7` are this library's own words: an application imports StoreClient and no second module.
@_exported public import StoreBasics
