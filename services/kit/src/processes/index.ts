export { ChildExited, ChildTimedOut } from './child.js'
export { isProcessGone, pidOf, processName } from './process-name.js'
export { createProcessPool, type ProcessPool, type ProcessPoolOptions } from './process-pool.js'
export { memoryBytesOf, ownMemoryBytesOf, statOf } from './process-stat.js'
