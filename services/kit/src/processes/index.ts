export { ChildExited, ChildTimedOut } from './child.js'
export { createProcessPool, type ProcessPool, type ProcessPoolOptions } from './process-pool.js'
