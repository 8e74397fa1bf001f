import { type Executor, statement } from '@figbase/kit/db'
import type { UserRow } from '../db/schema.js'

export type AccountState = Pick<UserRow, 'username' | 'is_active' | 'is_staff'>

const stateColumns = 'username, is_active, is_staff'

const active = statement<AccountState>(`
  update account
     set is_active = $2, version = version + 1,
         token_generation = token_generation + case when $2 then 0 else 1 end
   where username = $1
  returning ${stateColumns}`)

/** Deactivation also invalidates all refresh tokens. */
export async function updateActive(tx: Executor, username: string, isActive: boolean) {
  return only(await active(tx, username, isActive))
}

const staff = statement<AccountState>(`
  update account set is_staff = $2, version = version + 1 where username = $1
  returning ${stateColumns}`)

export async function updateStaff(tx: Executor, username: string, isStaff: boolean) {
  return only(await staff(tx, username, isStaff))
}

function only([state]: AccountState[]): AccountState {
  if (!state) throw new Error('locked account not found')
  return state
}

const administrators = statement<{ username: string }>(`
  select username from account where is_staff and is_active and username <> $1 limit 1`)

/** Whether another user is an active administrator. By account_staff_idx. */
export async function hasOtherAdministrator(tx: Executor, username: string): Promise<boolean> {
  return (await administrators(tx, username)).length > 0
}

const administrator = statement<{ username: string }>(`
  select username from account where username = $1 and is_staff and is_active`)

/** By account_pkey. */
export async function isAdministrator(tx: Executor, username: string): Promise<boolean> {
  return (await administrator(tx, username)).length > 0
}
