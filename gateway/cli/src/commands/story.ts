import { existsSync } from 'node:fs'
import { type Figbase, waitForTask } from '@figbase/client'
import { type CommonOptions, connect } from '../connection.js'
import { exitCode } from '../exit-codes.js'
import { CommandError } from '../failure.js'
import { toFileName } from '../file-names.js'
import { printLine, show } from '../output.js'
import { resolveKind } from '../reference.js'
import { fileExists, save } from '../save.js'
import { plain } from '../text.js'

type Options = CommonOptions & {
  format: 'markdown' | 'pptx' | 'pdf'
  output?: string
  force?: boolean
}

const extensions = { markdown: 'zip', pptx: 'pptx', pdf: 'pdf' }

/** Exports a story, waits for the file and downloads it. */
export async function exportStory(text: string, options: Options): Promise<void> {
  const { format, force, json } = options
  const connection = await connect(options)
  const { figbase } = connection
  const path = { id: (await resolveKind(connection, text, ['story'])).api_id }
  const { name } = await figbase.get('/story/{id}/', { path, query: { fields: 'name' } })
  const file = options.output ?? `${toFileName(name)}.${extensions[format]}`
  if (!force && existsSync(file)) throw fileExists(file)
  const { task_id } = await figbase.post('/story/{id}/export/', { path, body: { format } })
  const url = await resultOf(figbase, task_id)
  const body = await figbase.send({ method: 'GET', path: url }, async (response) => response.body)
  if (body) await save(body, file, force)
  show(json, { file, format }, () => printLine(plain(file)))
}

/** The address of the file, when the task has made it. */
async function resultOf(figbase: Figbase, id: string): Promise<string> {
  const { status, result, error } = await waitForTask(figbase, id)
  if (status === 'SUCCESS') return (result as { url: string }).url
  const message = `The export has failed: ${error ?? status}`
  throw new CommandError(exitCode.failure, 'export_failed', message)
}
