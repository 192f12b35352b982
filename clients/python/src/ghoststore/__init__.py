"""The client of ghoststored, a daemon that keeps an encrypted store of conversations, files, scenes and logs.

>>> from ghoststore import NewMessage, Store
>>> with Store() as store:
...     store.save_message(NewMessage(conversation="05alice", text="hello"))
"""

from . import model, secrets
from ._version import VERSION
from .aio import AsyncMessageWatch, AsyncStore, AsyncWatch
from .errors import (
    Aborted,
    AlreadyExists,
    ClosedError,
    ConnectFailed,
    ConnectionLost,
    DataLoss,
    DeadlineExceeded,
    FailedPrecondition,
    GhoststoreError,
    InternalError,
    InvalidArgument,
    NotFound,
    OutOfRange,
    PermissionDenied,
    ProtocolError,
    RefusedError,
    SourceChanged,
    ResourceExhausted,
    TimedOut,
    Unavailable,
    Unimplemented,
)
from .model import (
    ArchiveAim,
    Change,
    ChangeOperation,
    Commit,
    ConversationMember,
    ConversationReference,
    EntityKind,
    ErrorCode,
    FileArea,
    FilePath,
    FileWritePlace,
    KeySlotKind,
    Message,
    MessageOrder,
    MessageStatus,
    Metadata,
    NewAttachment,
    NewMessage,
    SceneCondition,
    SearchOrder,
    Secret,
    StoreState,
)
from .protocol.attempt import new_key
from .protocol.options import Options
from .reasons import Reason
from .scene_values import SingleFloat, Url
from .short_forms import by_id, by_session
from .sync import MessageWatch, Store, Watch
from .times import from_microseconds, to_microseconds

__version__ = VERSION

__all__ = [
    "Aborted",
    "AlreadyExists",
    "ArchiveAim",
    "AsyncMessageWatch",
    "AsyncStore",
    "AsyncWatch",
    "Change",
    "ChangeOperation",
    "ClosedError",
    "Commit",
    "ConnectFailed",
    "ConnectionLost",
    "ConversationMember",
    "ConversationReference",
    "DataLoss",
    "DeadlineExceeded",
    "EntityKind",
    "ErrorCode",
    "FailedPrecondition",
    "FileArea",
    "FilePath",
    "FileWritePlace",
    "GhoststoreError",
    "InternalError",
    "InvalidArgument",
    "KeySlotKind",
    "Message",
    "MessageOrder",
    "MessageStatus",
    "MessageWatch",
    "Metadata",
    "NewAttachment",
    "NewMessage",
    "NotFound",
    "Options",
    "OutOfRange",
    "PermissionDenied",
    "ProtocolError",
    "Reason",
    "RefusedError",
    "ResourceExhausted",
    "SceneCondition",
    "SearchOrder",
    "Secret",
    "SingleFloat",
    "SourceChanged",
    "Store",
    "StoreState",
    "TimedOut",
    "Unavailable",
    "Unimplemented",
    "Url",
    "Watch",
    "__version__",
    "by_id",
    "by_session",
    "from_microseconds",
    "model",
    "new_key",
    "secrets",
    "to_microseconds",
]
