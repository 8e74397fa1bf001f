import { Code, type HandlerContext } from '@connectrpc/connect'
import { hasCode, invalid } from '@figbase/kit/errors'
import { forward } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { serverOf } from '../domain/git-fields.js'

type Credentials = { url: string; token: string; sshKeyId: string | null }

/** Throws unless the credentials fit the URL, and the SSH key is one of the caller's. */
export async function requireCredentials(
  { sshKeys }: Pick<Ctx, 'sshKeys'>,
  { url, token, sshKeyId }: Credentials,
  call: HandlerContext,
): Promise<void> {
  if (serverOf(url).isSsh) {
    if (token !== '') throw invalid('token', 'is for https; for SSH send ssh_key')
    if (sshKeyId === null) throw invalid('ssh_key', 'is required for SSH')
    await sshKeys.getSshKey({ id: sshKeyId }, forward(call)).catch((error: unknown) => {
      throw hasCode(error, Code.NotFound) ? invalid('ssh_key', 'does not exist') : error
    })
  } else if (sshKeyId !== null) throw invalid('ssh_key', 'is for SSH; for https send token')
}
