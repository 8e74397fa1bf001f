import { invalid, validateAll } from '@figbase/kit/errors'
import { seal } from '@figbase/kit/keys'
import { requireSignIn } from '@figbase/kit/rpc'
import { checkedText } from '@figbase/kit/text'
import type { Ctx } from '../../context.js'
import { tooManySshKeys } from '../../errors.js'
import { lockAccount } from '../../queries/lock-account.js'
import { clearOtherDefault, countSshKeys, insertSshKey } from '../../queries/ssh-keys.js'
import { checkedName, type SshKeysImpl } from './checked.js'
import { toSshKey } from './wire.js'

const passphraseBytesMax = 1024

export function createSshKey(ctx: Ctx): SshKeysImpl['createSshKey'] {
  const { bytesMax, perUserMax } = ctx.cfg.sshKeys
  return async (req, call) => {
    const owner = requireSignIn(call)
    const { name, privateKey, passphrase } = validateAll({
      name: () => checkedName(req.name),
      privateKey: () => bounded('private_key', req.privateKey, bytesMax),
      passphrase: () => bounded('passphrase', req.passphrase, passphraseBytesMax),
    })
    // Checked early because reading a key is slow, and again below under the lock.
    if ((await countSshKeys(ctx.db, owner)) >= perUserMax) throw tooManySshKeys(perUserMax)
    const read = await ctx.keyReader.read(owner, { privateKey, passphrase }, call.signal)
    const id = ctx.newId()
    const { fingerprint, publicKey } = read
    const sealed = seal(ctx.sshKeyRing, read.privateKey, id)
    const row = await ctx.transact(async (tx) => {
      await lockAccount(tx, owner)
      const existing = await countSshKeys(tx, owner)
      if (existing >= perUserMax) throw tooManySshKeys(perUserMax)
      const isDefault = req.isDefault || existing === 0
      if (isDefault) await clearOtherDefault(tx, owner, id)
      const key = { id, owner, name, fingerprint, publicKey, sealed, isDefault }
      const row = await insertSshKey(tx, key)
      await ctx.record(tx, call, () => ({ key: toSshKey(row) }))
      return row
    })
    return { key: toSshKey(row) }
  }
}

function bounded(field: string, text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) > bytesMax)
    throw invalid(field, `must have at most ${bytesMax} bytes`)
  return checkedText(field, text, { charsMin: field === 'private_key' ? 1 : 0, charsMax: bytesMax })
}
