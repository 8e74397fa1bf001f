import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect'
import { NotificationsService } from '@figbase/proto/notifications'
import { TasksService } from '@figbase/proto/tasks'
import { WebhooksService } from '@figbase/proto/webhooks'
import type { Ctx } from './context.js'
import { cancelTask } from './rpc/cancel-task.js'
import { followEvents } from './rpc/follow-events.js'
import { getTask } from './rpc/get-task.js'
import { listRevoked } from './rpc/list-revoked.js'
import { listTaskLogs } from './rpc/list-task-logs.js'
import { listTasks } from './rpc/list-tasks.js'
import { deleteNotificationSettings } from './rpc/notifications/delete-notification-settings.js'
import { getNotificationSettings } from './rpc/notifications/get-notification-settings.js'
import { unsubscribe } from './rpc/notifications/unsubscribe.js'
import { updateNotificationSettings } from './rpc/notifications/update-notification-settings.js'
import { reportTask } from './rpc/report-task.js'
import { startTask } from './rpc/start-task.js'
import { createWebhook } from './rpc/webhooks/create-webhook.js'
import { deleteWebhook } from './rpc/webhooks/delete-webhook.js'
import { getWebhook } from './rpc/webhooks/get-webhook.js'
import { listWebhookDeliveries } from './rpc/webhooks/list-webhook-deliveries.js'
import { listWebhooks } from './rpc/webhooks/list-webhooks.js'
import { redeliverWebhookDelivery } from './rpc/webhooks/redeliver-webhook-delivery.js'
import { rotateWebhookSecret } from './rpc/webhooks/rotate-webhook-secret.js'
import { testWebhook } from './rpc/webhooks/test-webhook.js'
import { updateWebhook } from './rpc/webhooks/update-webhook.js'

export type NotificationsImpl = ServiceImpl<typeof NotificationsService>
export type WebhooksImpl = ServiceImpl<typeof WebhooksService>

export const routes = (ctx: Ctx) => (router: ConnectRouter) =>
  router
    .service(TasksService, {
      startTask: startTask(ctx),
      reportTask: reportTask(ctx),
      listRevoked: listRevoked(ctx),
      listTasks: listTasks(ctx),
      getTask: getTask(ctx),
      listTaskLogs: listTaskLogs(ctx),
      cancelTask: cancelTask(ctx),
      followEvents: followEvents(ctx),
    } satisfies ServiceImpl<typeof TasksService>)
    .service(WebhooksService, {
      createWebhook: createWebhook(ctx),
      listWebhooks: listWebhooks(ctx),
      getWebhook: getWebhook(ctx),
      updateWebhook: updateWebhook(ctx),
      deleteWebhook: deleteWebhook(ctx),
      rotateWebhookSecret: rotateWebhookSecret(ctx),
      testWebhook: testWebhook(ctx),
      listWebhookDeliveries: listWebhookDeliveries(ctx),
      redeliverWebhookDelivery: redeliverWebhookDelivery(ctx),
    } satisfies WebhooksImpl)
    .service(NotificationsService, {
      getNotificationSettings: getNotificationSettings(ctx),
      updateNotificationSettings: updateNotificationSettings(ctx),
      unsubscribe: unsubscribe(ctx),
      deleteNotificationSettings: deleteNotificationSettings(ctx),
    } satisfies NotificationsImpl)
