import type { Migration } from '@figbase/kit/db'
import { instances } from './0001-instances.js'
import { idle } from './0002-idle.js'
import { volumes } from './0003-volumes.js'
import { usedAddresses } from './0004-used-addresses.js'
import { ownInstances } from './0005-own-instances.js'

export const migrations: Migration[] = [instances, idle, volumes, usedAddresses, ownInstances]
