export {
  defineTaskJob,
  type TaskHandle,
  type TaskJob,
  type TaskName,
  type TaskPayload,
} from './define.js'
export { TaskFailed, TaskRevoked } from './errors.js'
export type { StartTask, StartTaskOptions } from './start-task.js'
