#pragma once
/* Nothing to call: linking it is enough. */
