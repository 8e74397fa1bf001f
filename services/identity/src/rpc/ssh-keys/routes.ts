import { once } from '@figbase/kit/keyed'
import type { Ctx } from '../../context.js'
import type { SshKeysImpl } from './checked.js'
import { createSshKey } from './create-ssh-key.js'
import { deleteSshKey } from './delete-ssh-key.js'
import { getSshKey } from './get-ssh-key.js'
import { listSshKeys } from './list-ssh-keys.js'
import { openSshKey } from './open-ssh-key.js'
import { updateSshKey } from './update-ssh-key.js'

export const sshKeys = (ctx: Ctx): SshKeysImpl => ({
  createSshKey: once(ctx, createSshKey(ctx)),
  listSshKeys: listSshKeys(ctx),
  getSshKey: getSshKey(ctx),
  updateSshKey: updateSshKey(ctx),
  deleteSshKey: deleteSshKey(ctx),
  openSshKey: openSshKey(ctx),
})
