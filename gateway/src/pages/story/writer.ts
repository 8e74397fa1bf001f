import type { Input, Route } from '../../endpoint.js'
import { type FormResult, type FormValues, userForm } from '../form.js'
import { tried } from '../form-problem.js'
import { idIn } from '../ids.js'
import { outlinePage } from './outline.js'
import { taskPath } from './task.js'

/** Starts the task that lets AI write a whole story, or improve its texts. */
export const writerPages: Route[] = [userForm('/story/:id/write/', write)]

async function write(input: Input<FormValues>): Promise<FormResult> {
  const { storyWriter } = input.services
  const storyId = idIn(input)
  const started = await tried<{ taskId: string }>(
    input.body.action === 'refine'
      ? storyWriter.refineStory({ storyId }, input.call)
      : storyWriter.generateStory({ storyId }, input.call),
  )
  if (!started.problem) return { to: taskPath(storyId, started.value.taskId) }
  const { problem } = started
  return { status: problem.status, page: await outlinePage(input, { problem }, 'ai') }
}
