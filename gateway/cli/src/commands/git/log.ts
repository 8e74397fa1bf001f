import { type CommonOptions, connect } from '../../connection.js'
import { commitOf, outcomeOf } from '../../git/import-text.js'
import { newestImports } from '../../git/imports.js'
import { repositoryIdOf } from '../../git/repository.js'
import { printTable, show } from '../../output.js'
import { toTime } from '../../text.js'

/** Lists the imports of a Git repository, newest first. */
export async function log(
  text: string,
  { limit, ...options }: CommonOptions & { limit: number },
): Promise<void> {
  const { figbase } = await connect(options)
  const imports = await newestImports(figbase, repositoryIdOf(figbase, text), limit)
  show(options.json, imports, () =>
    printTable(
      imports.map((one) => [
        toTime(one.created_on),
        one.status,
        one.trigger,
        commitOf(one),
        outcomeOf(one),
      ]),
    ),
  )
}
