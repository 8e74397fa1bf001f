import { workerData } from 'node:worker_threads'
import { killSelf } from './kill-self.js'

/** A thread of a child process, because synchronous work of the main thread would hold up its timers. */
const checkMs = 50
const { memoryBytesMax, parent }: { memoryBytesMax: number; parent: number } = workerData

setInterval(() => {
  if (process.memoryUsage.rss() > memoryBytesMax || process.ppid !== parent) killSelf()
}, checkMs)
