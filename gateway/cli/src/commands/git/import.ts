import { type CommonOptions, connect } from '../../connection.js'
import { followImport, requireSucceeded } from '../../git/follow-import.js'
import { summaryOf } from '../../git/import-text.js'
import { repositoryIdOf } from '../../git/repository.js'
import { printLine, show } from '../../output.js'
import { plain } from '../../text.js'

type Options = CommonOptions & { wait: boolean }

/** Imports a Git repository, and waits until that has ended. With `--no-wait`, only starts the import. */
export async function importRepository(text: string, options: Options): Promise<void> {
  const { wait, json = false } = options
  const { figbase } = await connect(options)
  const path = { api_id: repositoryIdOf(figbase, text) }
  const started = await figbase.post('/git_repository/{api_id}/import/', { path })
  if (!wait) {
    show(json, started, () => printLine(`${started.status}  ${plain(started.api_id)}`))
    return
  }
  const ended = await followImport(figbase, started, json)
  requireSucceeded(ended)
  show(json, ended, () => summaryOf(ended).forEach(printLine))
}
