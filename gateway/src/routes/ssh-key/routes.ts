import type { Endpoint } from '../../endpoint.js'
import { createSshKey } from './create-ssh-key.js'
import { deleteSshKey } from './delete-ssh-key.js'
import { getSshKey } from './get-ssh-key.js'
import { listSshKeys } from './list-ssh-keys.js'
import { updateSshKey } from './update-ssh-key.js'

export const sshKeys: Endpoint[] = [
  listSshKeys,
  createSshKey,
  getSshKey,
  updateSshKey,
  deleteSshKey,
]
