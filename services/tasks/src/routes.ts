import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect'
import { TasksService } from '@figbase/proto/tasks'
import type { Ctx } from './context.js'
import { cancelTask } from './rpc/cancel-task.js'
import { followEvents } from './rpc/follow-events.js'
import { getTask } from './rpc/get-task.js'
import { listRevoked } from './rpc/list-revoked.js'
import { listTaskLogs } from './rpc/list-task-logs.js'
import { listTasks } from './rpc/list-tasks.js'
import { reportTask } from './rpc/report-task.js'
import { startTask } from './rpc/start-task.js'

export const routes = (ctx: Ctx) => (router: ConnectRouter) =>
  router.service(TasksService, {
    startTask: startTask(ctx),
    reportTask: reportTask(ctx),
    listRevoked: listRevoked(ctx),
    listTasks: listTasks(ctx),
    getTask: getTask(ctx),
    listTaskLogs: listTaskLogs(ctx),
    cancelTask: cancelTask(ctx),
    followEvents: followEvents(ctx),
  } satisfies ServiceImpl<typeof TasksService>)
