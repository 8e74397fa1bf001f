import assert from 'node:assert/strict'
import type { Figbase } from '@figbase/client'
import { finishedTask } from './tasks.js'

export type Export = { url: string; format: string; file_name: string; size_bytes: number }
export type ExportFormat = 'markdown' | 'pptx' | 'pdf'

export async function startExport(
  me: Figbase,
  story: string,
  format: ExportFormat,
): Promise<string> {
  const path = { id: story }
  return (await me.post('/story/{id}/export/', { path, body: { format } })).task_id
}

export async function exportStory(
  me: Figbase,
  story: string,
  format: ExportFormat = 'markdown',
): Promise<Export & { task: string }> {
  const task = await startExport(me, story, format)
  const { status, error, result } = await finishedTask<Export>(me, task)
  assert.equal(status, 'SUCCESS', error ?? '')
  return { ...result, task }
}

/** The bytes of an export, and their media type. */
export const downloadExport = (me: Figbase, { url }: Pick<Export, 'url'>) =>
  me.send({ method: 'GET', path: url }, async (response) => ({
    type: response.headers.get('content-type'),
    bytes: Buffer.from(await response.arrayBuffer()),
  }))
