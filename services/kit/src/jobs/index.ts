export { type DeadJob, deleteDeadJobs, listDeadJobs, replayDeadJobs } from './dead.js'
export {
  type AnyJob,
  defineJob,
  type Job,
  JobCanceled,
  JobFailedPermanently,
  JobInterrupted,
  type JobName,
  JobTimedOut,
} from './define.js'
export { nextRun } from './next-run.js'
export {
  type CancelJob,
  type Enqueue,
  type EnqueueOptions,
  enqueueSql,
  hasJobSql,
} from './queue.js'
export { resumePages } from './resume-pages.js'
