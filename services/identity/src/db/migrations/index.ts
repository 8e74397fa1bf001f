import type { Migration } from '@figbase/kit'
import { account } from './0001-account.js'

export const migrations: Migration[] = [account]
