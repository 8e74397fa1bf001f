import { type Figbase, list, type Schemas } from '@figbase/client'
import { type CommonOptions, connect } from '../../connection.js'
import { notFound, usageError } from '../../failure.js'
import { followImport, requireSucceeded } from '../../git/follow-import.js'
import { summaryOf } from '../../git/import-text.js'
import { repositoryPage } from '../../git/repository.js'
import { note, printLine, show } from '../../output.js'
import { containersOf, placeOf } from '../../place.js'
import { askSecret, readInput } from '../../prompt.js'
import { isId } from '../../reference.js'
import { plain } from '../../text.js'

type Options = CommonOptions & {
  to: string
  branch?: string
  include?: string[]
  exclude?: string[]
  schedule?: string
  token?: string
  sshKey?: string
  import?: boolean
}

/** Adds a Git repository to a workspace or an analysis, which is created if it is missing. With `--import`, imports it. */
export async function addRepository(url: string, options: Options): Promise<void> {
  const { to, branch, include, exclude, schedule, json = false } = options
  const token = options.token === undefined ? undefined : await readToken(options.token)
  const connection = await connect(options)
  const { figbase } = connection
  const place = await placeOf(connection, to)
  if (place.level === 'figure') throw usageError('--to must be workspace, or workspace/analysis')
  const ssh_key = options.sshKey === undefined ? undefined : await keyOf(figbase, options.sshKey)
  const target = await containersOf(connection, place)
  const body = { url, branch, include, exclude, schedule, token, ssh_key }
  const added = await create(figbase, target, body)
  const page = repositoryPage(figbase, added.api_id)
  if (!json) printLine(`added  ${plain(added.url)}  ${plain(page)}`)
  if (!options.import) {
    show(json, added, () => note(`To import it: figbase git import ${plain(added.api_id)}`))
    return
  }
  const path = { api_id: added.api_id }
  const started = await figbase.post('/git_repository/{api_id}/import/', { path })
  const last_import = await followImport(figbase, started, json)
  const lines = last_import.status === 'succeeded' ? summaryOf(last_import) : []
  show(json, { ...added, last_import }, () => lines.forEach(printLine))
  requireSucceeded(last_import)
}

/** A command line can be read by other users, so the token is not part of it. */
async function readToken(given: string): Promise<string> {
  if (given !== '-') throw usageError('Use --token - and pass the access token as input')
  const typed = process.stdin.isTTY ? await askSecret('Access token: ') : await readInput()
  const token = typed.trim()
  if (token === '') throw usageError('The access token is empty')
  return token
}

/** The id of an SSH key with an id or a name. Of several with the name, the oldest. */
async function keyOf(figbase: Figbase, key: string): Promise<string> {
  if (isId(key)) return key
  for await (const { api_id, name } of list(figbase, '/ssh_key/')) if (name === key) return api_id
  throw notFound(`You have no SSH key ${key}`)
}

const create = (
  figbase: Figbase,
  { workspace, analysis }: { workspace: string; analysis?: string },
  body: Schemas['GitRepositoryCreation'],
) =>
  analysis === undefined
    ? figbase.post('/workspace/{id}/git_repository/', { path: { id: workspace }, body })
    : figbase.post('/analysis/{id}/git_repository/', { path: { id: analysis }, body })
