import { type CommonOptions, connect } from '../../connection.js'
import { notFound } from '../../failure.js'
import { newestImports } from '../../git/imports.js'
import { repositoryIdOf } from '../../git/repository.js'
import { printLine, show } from '../../output.js'
import { plain } from '../../text.js'

/** Cancels the import of a Git repository that waits or runs. */
export async function cancelImport(text: string, options: CommonOptions): Promise<void> {
  const { figbase } = await connect(options)
  const [newest] = await newestImports(figbase, repositoryIdOf(figbase, text), 1)
  if (!newest || newest.ended_on !== null) throw notFound('No import waits or runs')
  await figbase.post('/tasks/{task_id}/cancel/', { path: { task_id: newest.task } })
  const { api_id } = newest
  show(options.json, { api_id }, () => printLine(`cancelled  ${plain(api_id)}`))
}
