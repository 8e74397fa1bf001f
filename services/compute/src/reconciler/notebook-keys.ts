import { randomBytes } from 'node:crypto'
import { type CallOptions, Code } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit/errors'
import { seal, unseal } from '@figbase/kit/keys'
import { actAs, user } from '@figbase/kit/rpc'
import { ApiKeyAccess } from '@figbase/proto/common'
import type { Ctx } from '../context.js'
import { type ActiveRow, setKeys } from '../queries/reconciling.js'
import { notebookKeysPurpose } from '../sealed-keys.js'

/** The token of the notebook server, and the API key with which the notebook calls Figbase. */
export type NotebookKeys = { token: string; apiKey: string }

const none = Buffer.alloc(0)
const tokenBytes = 32

/**
 * The keys of the instance, which it gets before its first run and keeps until it stops. Undefined if the row was
 * changed meanwhile. `row.version` is that of the row afterwards.
 */
export async function ensureKeys(
  ctx: Ctx,
  row: ActiveRow,
  signal: AbortSignal,
): Promise<NotebookKeys | undefined> {
  const ring = ctx.keys.derive(notebookKeysPurpose)
  if (row.secrets_sealed.length > 0) return JSON.parse(unseal(ring, row.secrets_sealed, row.id))
  const as = { ...actAs(user(row.owner)), signal }
  const created = await createApiKey(ctx, row, as)
  if (!created) return undefined
  const { apiKeyId, apiKey } = created
  const keys = { token: randomBytes(tokenBytes).toString('base64url'), apiKey }
  const secretsSealed = seal(ring, JSON.stringify(keys), row.id)
  const oldApiKeyId = row.old_api_key_id
  const version = await setKeys(ctx.db, row, { secretsSealed, apiKeyId, oldApiKeyId })
  if (version === undefined) {
    await deleteApiKey(ctx, apiKeyId, as)
    return undefined
  }
  Object.assign(row, { version, secrets_sealed: secretsSealed, api_key_id: apiKeyId })
  return keys
}

/**
 * A key with this name is left if a process died before it noted the key, or is about to be deleted: it is replaced.
 * Undefined if the row was changed meanwhile.
 */
async function createApiKey({ db, identity }: Ctx, row: ActiveRow, as: CallOptions) {
  const name = `compute instance ${row.id}`
  const access = ApiKeyAccess.PUBLISH
  const request = { name, workspaceId: row.workspace_id, access }
  const create = () => identity.createApiKey(request, as)
  const made = await create().catch(async (error: unknown) => {
    if (!hasCode(error, Code.InvalidArgument) && !hasCode(error, Code.AlreadyExists)) throw error
    const { keys } = await identity.listApiKeys({}, as)
    const left = keys.find((one) => one.name === name)
    if (!left) throw error
    // Another process may have made it just now: with the next version, it can no longer note it.
    const { secrets_sealed: secretsSealed, api_key_id: apiKeyId, old_api_key_id: oldApiKeyId } = row
    const version = await setKeys(db, row, { secretsSealed, apiKeyId, oldApiKeyId })
    if (version === undefined) return undefined
    Object.assign(row, { version })
    await deleteApiKey({ identity }, left.id, as)
    return create()
  })
  return made && { apiKeyId: made.key?.id ?? '', apiKey: made.token }
}

/** Deletes the API key of an instance that has stopped; a failure is repeated with the next round. */
export async function revokeKeys(ctx: Ctx, row: ActiveRow, signal: AbortSignal): Promise<void> {
  const { api_key_id, old_api_key_id } = row
  // First noted, so that a start meanwhile does not use the deleted key.
  if (!old_api_key_id) {
    const keys = { secretsSealed: none, apiKeyId: null, oldApiKeyId: api_key_id }
    const version = await setKeys(ctx.db, row, keys)
    if (version === undefined) return
    Object.assign(row, { version, secrets_sealed: none, api_key_id: null })
  }
  const id = old_api_key_id ?? api_key_id ?? ''
  const as = { ...actAs(user(row.owner)), signal }
  await deleteApiKey(ctx, id, as)
  const { secrets_sealed: secretsSealed, api_key_id: apiKeyId } = row
  await setKeys(ctx.db, row, { secretsSealed, apiKeyId, oldApiKeyId: null })
}

async function deleteApiKey({ identity }: Pick<Ctx, 'identity'>, id: string, as: CallOptions) {
  await identity.deleteApiKey({ id }, as).catch((error: unknown) => {
    if (!hasCode(error, Code.NotFound)) throw error
  })
}
