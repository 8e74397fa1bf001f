import { checkedAll, checkedText, invalid, requireSignIn, seal } from '@figbase/kit'
import type { Ctx } from '../../context.js'
import { tooManySshKeys } from '../../errors.js'
import { holdAccount } from '../../queries/held-account.js'
import { clearOtherDefault, countSshKeys, insertSshKey } from '../../queries/ssh-keys.js'
import { checkedName, type SshKeysImpl } from './checked.js'
import { toSshKey } from './wire.js'

const passphraseBytesMax = 1024

export function createSshKey(ctx: Ctx): SshKeysImpl['createSshKey'] {
  const { bytesMax, perUserMax } = ctx.cfg.sshKeys
  return async (req, call) => {
    const owner = requireSignIn(call)
    const { name, privateKey, passphrase } = checkedAll({
      name: () => checkedName(req.name),
      privateKey: () => bounded('private_key', req.privateKey, bytesMax),
      passphrase: () => bounded('passphrase', req.passphrase, passphraseBytesMax),
    })
    // Asked again below: it takes long to read a key.
    if ((await countSshKeys(ctx.db, owner)) >= perUserMax) throw tooManySshKeys(perUserMax)
    const read = await ctx.keyReader.read(owner, { privateKey, passphrase }, call.signal)
    const id = ctx.newId()
    const { fingerprint, publicKey } = read
    const sealed = seal(ctx.sshKeyRing, read.privateKey, id)
    const row = await ctx.transact(async (tx) => {
      await holdAccount(tx, owner)
      const held = await countSshKeys(tx, owner)
      if (held >= perUserMax) throw tooManySshKeys(perUserMax)
      const isDefault = req.isDefault || held === 0
      if (isDefault) await clearOtherDefault(tx, owner, id)
      return insertSshKey(tx, { id, owner, name, fingerprint, publicKey, sealed, isDefault })
    })
    return { key: toSshKey(row) }
  }
}

function bounded(field: string, text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) > bytesMax)
    throw invalid(field, `must have at most ${bytesMax} bytes`)
  return checkedText(field, text, { charsMin: field === 'private_key' ? 1 : 0, charsMax: bytesMax })
}
