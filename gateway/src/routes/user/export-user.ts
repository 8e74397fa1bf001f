import { z } from 'zod'
import { endpoint, type Input, ok } from '../../endpoint.js'
import { HttpError } from '../../http/errors.js'
import { JsonArrayStream } from '../../http/json/json-writer.js'
import { prefetchFirst } from '../../http/prefetch-first.js'
import { required } from '../../required.js'
import { usageItemSchema, usageItemShape } from '../../shapes/ai-usage.js'
import { apiKeySchema, apiKeyShape } from '../../shapes/api-key.js'
import {
  ownCommentSchema,
  ownCommentShape,
  ownReactionSchema,
  ownReactionShape,
} from '../../shapes/comment.js'
import { ownInstanceSchema, ownInstanceShape } from '../../shapes/compute.js'
import { invitationSchema, invitationShape } from '../../shapes/invitation.js'
import { notificationSettingsSchema, notificationSettingsShape } from '../../shapes/notification.js'
import {
  grantSchema,
  grantShape,
  ownActivitySchema,
  ownActivityShape,
} from '../../shapes/person.js'
import { sshKeySchema, sshKeyShape } from '../../shapes/ssh-key.js'
import { ownStorySchema, ownStoryShape } from '../../shapes/story.js'
import { taskSchema, taskShape } from '../../shapes/task.js'
import { userSchema, userShape } from '../../shapes/user.js'
import { iteratePages } from '../pagination.js'

export const exportUser = endpoint({
  method: 'GET',
  path: '/user/:username/export/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'exportUser',
  summary: 'Export the personal data of the caller',
  description: 'Published objects are listed by id.',
  responses: {
    200: z.object({
      user: userSchema,
      notifications: notificationSettingsSchema,
      api_keys: z.array(apiKeySchema),
      ssh_keys: z.array(sshKeySchema),
      grants: z.array(grantSchema),
      invitations: z.array(invitationSchema),
      tasks: z.array(taskSchema),
      comments: z.array(ownCommentSchema),
      reactions: z.array(ownReactionSchema),
      stories: z.array(ownStorySchema),
      compute_instances: z.array(ownInstanceSchema),
      ai_usage: z.array(usageItemSchema),
      activity: z.array(ownActivitySchema),
    }),
  },
  responseHeaders: ['Content-Disposition'],
  async handle(input) {
    const { params, username, services, call } = input
    if (params.username !== username) {
      throw new HttpError(403, 'permission_denied', 'only its owner can export an account')
    }
    // Read first, so that a missing permission is reported before the response begins.
    const grants = await prefetchFirst(grantsOf(input))
    const [{ user }, { settings }] = await Promise.all([
      services.identity.getUser({ username }, call),
      services.notifications.getNotificationSettings({}, call),
    ])
    const document = {
      user: userShape(required(user)),
      notifications: notificationSettingsShape(required(settings)),
      api_keys: new JsonArrayStream(apiKeysOf(input)),
      ssh_keys: new JsonArrayStream(sshKeysOf(input)),
      grants: new JsonArrayStream(grants),
      invitations: new JsonArrayStream(invitationsOf(input)),
      tasks: new JsonArrayStream(tasksOf(input)),
      comments: new JsonArrayStream(commentsOf(input)),
      reactions: new JsonArrayStream(reactionsOf(input)),
      stories: new JsonArrayStream(storiesOf(input)),
      compute_instances: new JsonArrayStream(instancesOf(input)),
      ai_usage: new JsonArrayStream(usageOf(input)),
      activity: new JsonArrayStream(activityOf(input)),
    }
    return ok(document, { 'content-disposition': 'attachment; filename="figbase-account.json"' })
  },
})

// Each page is an RPC with the full call timeout.

async function* apiKeysOf({ services, streamCall: call }: Input) {
  const keys = iteratePages(async (pageToken) => {
    const page = await services.identity.listApiKeys({ pageToken }, call)
    return { items: page.keys, nextPageToken: page.nextPageToken }
  })
  for await (const key of keys) yield apiKeyShape(key)
}

async function* sshKeysOf({ services, streamCall: call }: Input) {
  const { keys } = await services.sshKeys.listSshKeys({}, call)
  for (const key of keys) yield sshKeyShape(key)
}

async function* grantsOf({ services, streamCall: call }: Input) {
  const grants = iteratePages(async (pageToken) => {
    const page = await services.people.listOwnGrants({ pageToken }, call)
    return { items: page.grants, nextPageToken: page.nextPageToken }
  })
  for await (const grant of grants) yield grantShape(grant)
}

async function* invitationsOf({ services, streamCall: call }: Input) {
  const invitations = iteratePages(async (pageToken) => {
    const page = await services.people.listOwnInvitations({ pageToken }, call)
    return { items: page.invitations, nextPageToken: page.nextPageToken }
  })
  for await (const invitation of invitations) yield invitationShape(invitation)
}

async function* tasksOf({ services, streamCall: call }: Input) {
  const tasks = iteratePages(async (pageToken) => {
    const page = await services.tasks.listTasks({ pageToken }, call)
    return { items: page.tasks, nextPageToken: page.nextPageToken }
  })
  for await (const task of tasks) yield taskShape(task)
}

async function* commentsOf({ services, streamCall: call }: Input) {
  const comments = iteratePages(async (pageToken) => {
    const page = await services.comments.listOwnComments({ pageToken }, call)
    return { items: page.comments, nextPageToken: page.nextPageToken }
  })
  for await (const comment of comments) yield ownCommentShape(comment)
}

async function* reactionsOf({ services, streamCall: call }: Input) {
  const reactions = iteratePages(async (pageToken) => {
    const page = await services.comments.listOwnReactions({ pageToken }, call)
    return { items: page.reactions, nextPageToken: page.nextPageToken }
  })
  for await (const reaction of reactions) yield ownReactionShape(reaction)
}

async function* storiesOf({ services, streamCall: call }: Input) {
  const stories = iteratePages(async (pageToken) => {
    const page = await services.stories.listOwnStories({ pageToken }, call)
    return { items: page.stories, nextPageToken: page.nextPageToken }
  })
  for await (const story of stories) yield ownStoryShape(story)
}

async function* instancesOf({ services, streamCall: call }: Input) {
  const instances = iteratePages(async (pageToken) => {
    const page = await services.compute.listOwnInstances({ pageToken }, call)
    return { items: page.instances, nextPageToken: page.nextPageToken }
  })
  for await (const instance of instances) yield ownInstanceShape(instance)
}

async function* usageOf({ services, streamCall: call }: Input) {
  const items = iteratePages((pageToken) => services.aiUsage.listUsageHistory({ pageToken }, call))
  for await (const item of items) yield usageItemShape(item)
}

async function* activityOf({ services, streamCall: call }: Input) {
  const entries = iteratePages(async (pageToken) => {
    const page = await services.people.listOwnActivity({ pageToken }, call)
    return { items: page.entries, nextPageToken: page.nextPageToken }
  })
  for await (const entry of entries) yield ownActivityShape(entry)
}
