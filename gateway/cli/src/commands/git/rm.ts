import { type CommonOptions, connect } from '../../connection.js'
import { repositoryIdOf } from '../../git/repository.js'
import { printLine, show } from '../../output.js'
import { plain } from '../../text.js'

/** Removes a Git repository, so that it is no longer imported. */
export async function removeRepository(text: string, options: CommonOptions): Promise<void> {
  const { figbase } = await connect(options)
  const api_id = repositoryIdOf(figbase, text)
  await figbase.delete('/git_repository/{api_id}/', { path: { api_id } })
  show(options.json, { api_id }, () =>
    printLine(`removed  ${plain(api_id)}. Its figures and assets stay`),
  )
}
