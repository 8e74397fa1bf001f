import { type CommonOptions, type Connection, connect } from '../connection.js'
import { usageError } from '../failure.js'
import { printLine, printTable, show } from '../output.js'
import { pageOf } from '../pages.js'
import { type Reference, resolveKind } from '../reference.js'
import { plain } from '../text.js'

type Options = CommonOptions & { link?: boolean; user?: string; off?: boolean }

const shared = ['analysis', 'figure', 'revision'] as const
type Shared = Reference & { kind: (typeof shared)[number] }

/** Shares an object by link or with a user, or ends that; without either, shows with whom it is shared. */
export async function share(text: string, options: Options): Promise<void> {
  const { link, user, off = false, json } = options
  if (link && user !== undefined) throw usageError('Use either --link or --user')
  if (off && !link && user === undefined) throw usageError('--off needs --link or --user')
  const connection = await connect(options)
  const target = await resolveKind(connection, text, shared)
  if (link) await setLink(connection, target, !off)
  else if (user !== undefined) await setUser(connection, target, user, !off)
  const state = await stateOf(connection, target)
  show(json, state, () => {
    if (state.link) printLine(`everybody with the link: ${plain(state.url)}`)
    printTable(state.users.map((name) => ['user', name]))
    if (!state.link && state.users.length === 0) printLine('not shared')
  })
}

const setLink = ({ figbase }: Connection, { kind, api_id: id }: Shared, enabled: boolean) =>
  figbase.post(`/${kind}/{id}/share/link/`, { path: { id }, body: { enabled } })

const setUser = (
  { figbase }: Connection,
  { kind, api_id: id }: Shared,
  username: string,
  sharing_enabled: boolean,
) =>
  figbase.post(`/${kind}/{id}/share/user/`, {
    path: { id },
    body: { username, sharing_enabled },
  })

async function stateOf({ figbase }: Connection, target: Shared) {
  const path = { id: target.api_id }
  const { enabled } = await figbase.get(`/${target.kind}/{id}/share/link/`, { path })
  const users = await figbase.get(`/${target.kind}/{id}/share/user/`, { path })
  return {
    url: pageOf(figbase, target),
    link: enabled,
    users: users.filter((one) => one.sharing_enabled).map((one) => one.username),
  }
}
