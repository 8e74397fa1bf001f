import { type Executor, statement } from '@figbase/kit/db'
import { type Kysely, sql } from 'kysely'
import type { Database, NewUser, UserRow } from '../db/schema.js'

type Db = Kysely<Database>

const columns = [
  'username',
  'email',
  'first_name',
  'last_name',
  'password_hash',
  'date_joined',
  'is_active',
  'is_staff',
  'email_confirmed',
  'using_auth0',
  'avatar',
  'version',
  'token_generation',
] as const

/** As text: the driver would parse a `json` column. */
const profile = sql<string>`profile::text`.as('profile')
/** The same columns for raw SQL. */
export const userColumns = `${columns.join(', ')}, profile::text as profile`

/** The expressions of the indexes. */
const usernameKey = sql<string>`lower(username collate "C")`
const lowerAscii = (text: string) => sql<string>`lower(${text}::text collate "C")`
const lower = (text: string) => sql<string>`lower(${text}::text collate "und-x-icu")`

export function insertUser(db: Db, user: NewUser): Promise<UserRow> {
  return db
    .insertInto('account')
    .values(user)
    .returning([...columns, profile])
    .executeTakeFirstOrThrow()
}

const notDeleted = 'deleted_on is null'

const single = statement<UserRow>(
  `select ${userColumns} from account where username = $1 and ${notDeleted}`,
)

/** Undefined also for a deleted user. `username` must be well formed. */
export async function findUser(db: Executor, username: string): Promise<UserRow | undefined> {
  return (await single(db, username))[0]
}

/** The columns that sign-in needs, without avatar and profile. */
export type Login = Pick<
  UserRow,
  'username' | 'password_hash' | 'is_active' | 'is_staff' | 'token_generation'
>

const login = statement<Login>(`
  select username, password_hash, is_active, is_staff, token_generation
    from account where username = $1 and ${notDeleted}`)

/** Undefined as for findUser. */
export async function findLogin(db: Executor, username: string): Promise<Login | undefined> {
  return (await login(db, username))[0]
}

/** Compares case-insensitively; includes deleted users. By account_username_lower_key. */
export async function isUsernameTaken(db: Db, username: string): Promise<boolean> {
  const row = await db
    .selectFrom('account')
    .select('username')
    .where(usernameKey, '=', lowerAscii(username))
    .executeTakeFirst()
  return row !== undefined
}

/** Total size of the avatars in a list of users, as base64. */
const avatarBytesMax = 4 * 2 ** 20

const several = statement<UserRow>(`
  select ${columns.filter((column) => column !== 'avatar').join(', ')}, profile::text as profile,
         case when sum(octet_length(avatar)) over (order by asked.place) <= ${avatarBytesMax} then avatar end as avatar
    from unnest($1::text[]) with ordinality as asked (name, place) join account on username = asked.name
   order by asked.place`)

/** In the order of the names, including deleted users; avatars as in `searchUsers`. By account_pkey. */
export function listUsers(db: Executor, usernames: string[]): Promise<UserRow[]> {
  return several(db, usernames)
}

const deleted = statement<{ username: string }>(`
  select username from account where username = any($1::text[]) and deleted_on is not null`)

/** Those of these users who are deleted. By account_pkey. */
export async function listDeleted(db: Executor, usernames: string[]): Promise<string[]> {
  return (await deleted(db, usernames)).map(({ username }) => username)
}

/**
 * Active users whose username, last name or "first last" begins with `prefix`, ignoring case; an exact username match
 * comes first, then by username. Uses a bitmap of the three pattern indexes. Avatars beyond the size limit are omitted.
 */
export function searchUsers(db: Db, prefix: string, limit: number): Promise<UserRow[]> {
  const before = sql<bigint>`sum(octet_length(avatar)) over (rows unbounded preceding)`
  const avatar = sql<string | null>`case when ${before} <= ${avatarBytesMax} then avatar end`
  const others = columns.filter((column) => column !== 'avatar')
  return db
    .selectFrom(searchQuery(db, prefix, limit).as('found'))
    .select([...others, 'profile', avatar.as('avatar')])
    .execute()
}

/** Separate from its execution, so that tests can check the plan. */
export function searchQuery(db: Db, prefix: string, limit: number) {
  return db
    .selectFrom('account')
    .select([...columns, profile])
    .where(namesLike(prefixPattern(prefix)))
    .where('is_active', '=', true)
    .orderBy(sql`username = ${prefix}`, 'desc')
    .orderBy(sql`${usernameKey} = ${lowerAscii(prefix)}`, 'desc')
    .orderBy('username')
    .limit(limit)
}

export const prefixPattern = (prefix: string): string => `${prefix.replace(/[\\%_]/g, '\\$&')}%`

/** Served by a bitmap of the three pattern indexes. */
export const namesLike = (pattern: string) =>
  sql<boolean>`(${usernameKey} like ${lowerAscii(pattern)}
    or lower((first_name || ' ' || last_name) collate "und-x-icu") like ${lower(pattern)}
    or lower(last_name collate "und-x-icu") like ${lower(pattern)})`

/** By account_staff_idx. */
export async function hasAdministrator(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom('account')
    .select('username')
    .where('is_staff', '=', true)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Held until the transaction ends, so that two replicas do not both create the first administrator. */
export async function lockAdministrators(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('identity administrators'))`.execute(tx)
}
