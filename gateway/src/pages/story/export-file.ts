import type { Route } from '../../endpoint.js'
import { downloadExport } from '../../routes/story/export.js'
import { idIn } from '../ids.js'
import { signInReply } from '../page.js'
import { storyPath } from './read.js'

/** The address of the file that a task made, from the result of the task; undefined if it made none. */
export function exportFilePath(storyId: string, result: unknown): string | undefined {
  const { url } = (result ?? {}) as { url?: unknown }
  const [, exportId] = /\/export\/([\w-]+)\/$/.exec(String(url)) ?? []
  return exportId && `${storyPath(storyId)}export/${exportId}/`
}

/** Downloads an export with the session cookie. */
export const exportFile: Route = {
  method: 'GET',
  path: '/story/:id/export/:export_id/',
  since: 'v1',
  auth: 'required',
  acceptsSession: true,
  errorReply: signInReply,
  async handle(input, upload) {
    idIn(input)
    const reply = await downloadExport.handle(input, upload)
    const headers = {
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-store',
    }
    return { ...reply, headers: { ...reply.headers, ...headers } }
  },
}
