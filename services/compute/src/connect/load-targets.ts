import { unseal } from '@figbase/kit/keys'
import { actAsSystem } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { listOpenable, type OpenableRow } from '../queries/openable.js'
import type { NotebookKeys } from '../reconciler/notebook-keys.js'
import { notebookKeysPurpose } from '../sealed-keys.js'
import type { LoadTargets, Target } from './sessions.js'
import type { Session } from './tickets.js'

const timeoutMs = 5000

type Peers = Pick<Ctx, 'db' | 'keys' | 'catalog' | 'accounts'>

/**
 * A session is allowed while the run that it was opened for is running, its owner is a member of the workspace, and
 * what they signed in with is valid.
 */
export function targetLoader(ctx: Peers): LoadTargets {
  const ring = ctx.keys.derive(notebookKeysPurpose)
  return async (sessions) => {
    const rows = await readRows(ctx, sessions)
    const openable = sessions.flatMap((session) => {
      const row = rows.get(session.instanceId)
      const isSame = row?.run_id === session.runId && isSameUser(row.owner, session.username)
      return isSame ? [{ session, row }] : []
    })
    const targets = new Map<string, Target>()
    if (openable.length === 0) return targets
    const [isMember, isSignedIn] = await Promise.all([
      readMembers(
        ctx,
        openable.map(({ row }) => row),
      ),
      readSignedIn(
        ctx,
        openable.map(({ session }) => session),
      ),
    ])
    for (const { session, row } of openable) {
      if (!isMember(row) || !isSignedIn(session)) continue
      const { token }: NotebookKeys = JSON.parse(unseal(ring, row.secrets_sealed, row.id))
      targets.set(session.id, { address: row.address, token })
    }
    return targets
  }
}

async function readRows({ db }: Peers, sessions: Session[]) {
  const ids = [...new Set(sessions.map(({ instanceId }) => instanceId))]
  return new Map((await listOpenable(db, ids)).map((row) => [row.id, row]))
}

async function readMembers({ catalog }: Peers, rows: OpenableRow[]) {
  const nodeIds = [...new Set(rows.map(({ workspace_id }) => workspace_id))]
  const usernames = [...new Set(rows.map(({ owner }) => owner))]
  const { nodes } = await catalog.listViewers({ nodeIds, usernames }, asSystem())
  const viewers = new Map(nodes.map((node) => [node.nodeId, new Set(node.usernames)]))
  return ({ workspace_id, owner }: OpenableRow) => viewers.get(workspace_id)?.has(owner) === true
}

async function readSignedIn({ accounts }: Peers, sessions: Session[]) {
  const usernames = [...new Set(sessions.map(({ username }) => username))]
  const apiKeyIds = [...new Set(sessions.flatMap(({ apiKeyId }) => apiKeyId || []))]
  const found = await accounts.listCredentials({ usernames, apiKeyIds }, asSystem())
  const generations = new Map(
    found.users.map((one) => [one.username.toLowerCase(), one.tokenGeneration]),
  )
  const keys = new Set(found.apiKeyIds)
  return ({ username, tokenGeneration, apiKeyId }: Session) =>
    generations.get(username.toLowerCase()) === tokenGeneration && (!apiKeyId || keys.has(apiKeyId))
}

const asSystem = () => ({ ...actAsSystem(), timeoutMs })

const isSameUser = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
