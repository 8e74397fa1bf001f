import { NodeType, Permission } from '@figbase/proto/catalog'
import { z } from 'zod'
import type { Guard } from '../../endpoint.js'
import { uuid } from '../../shapes/common.js'
import { idIn, idText } from '../body-members.js'

export const storyBody = z
  .object({ story_id: idText })
  .meta({ id: 'StoryReference', description: 'A story.' })

export const modelMember = { model: z.string('must be a string').nullish() }

/** Authors of the story: what AI writes costs the quota of its workspace. */
export const guardStory = (_params: Record<string, string>, body: unknown): Guard => ({
  id: idIn(body, 'story_id'),
  permission: Permission.UPDATE,
  type: NodeType.STORY,
})

export const omissionsSchema = z.array(z.string()).meta({
  description: 'What the language model did not get, because of its size or your permissions.',
})

export const taskSchema = z
  .object({ task_id: uuid })
  .meta({ id: 'TaskReference', description: 'A task that was started.' })
