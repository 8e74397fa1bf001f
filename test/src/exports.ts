import assert from 'node:assert/strict'
import type { Client } from './client.js'
import { finishedTask, type Task } from './tasks.js'

export type ExportTask = Task<{
  url: string
  format: string
  file_name: string
  size_bytes: number
}>

export async function startExport(me: Client, story: string, format: string): Promise<string> {
  const path = `story/${story}/export/`
  return (await me.post<{ task_id: string }>(path, { format }, 202)).body.task_id
}

export const finishedExport = (me: Client, taskId: string): Promise<ExportTask> =>
  finishedTask<ExportTask['result']>(me, taskId)

export async function exportStory(
  me: Client,
  story: string,
  format = 'markdown',
): Promise<ExportTask['result']> {
  const task = await finishedExport(me, await startExport(me, story, format))
  assert.equal(task.status, 'SUCCESS', task.error ?? '')
  return task.result
}
