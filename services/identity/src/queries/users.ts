import { type Executor, statement } from '@figbase/kit'
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

/** As it was stored: the driver would parse a `json` column. */
const profile = sql<string>`profile::text`.as('profile')
/** The same for statements. */
export const userColumns = `${columns.join(', ')}, profile::text as profile`

/** As the indexes have them. */
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

const known = 'deleted_on is null'

const single = statement<UserRow>(
  `select ${userColumns} from account where username = $1 and ${known}`,
)

/** Undefined for one who left, too. `username` must be well formed. */
export async function findUser(db: Executor, username: string): Promise<UserRow | undefined> {
  return (await single(db, username))[0]
}

/** What signing in needs to know, without pictures and profiles. */
export type Login = Pick<
  UserRow,
  'username' | 'password_hash' | 'is_active' | 'is_staff' | 'token_generation'
>

const login = statement<Login>(`
  select username, password_hash, is_active, is_staff, token_generation
    from account where username = $1 and ${known}`)

/** As findUser. */
export async function findLogin(db: Executor, username: string): Promise<Login | undefined> {
  return (await login(db, username))[0]
}

/** Whether a new user would be refused, in any case of letters. By account_username_lower_key. */
export async function isUsernameTaken(db: Db, username: string): Promise<boolean> {
  const row = await db
    .selectFrom('account')
    .select('username')
    .where(usernameKey, '=', lowerAscii(username))
    .executeTakeFirst()
  return row !== undefined
}

/** What pictures a list of users may carry together, as base64. */
const avatarBytesMax = 4 * 2 ** 20

const several = statement<UserRow>(`
  select ${columns.filter((column) => column !== 'avatar').join(', ')}, profile::text as profile,
         case when sum(octet_length(avatar)) over (order by asked.place) <= ${avatarBytesMax} then avatar end as avatar
    from unnest($1::text[]) with ordinality as asked (name, place) join account on username = asked.name
   order by asked.place`)

/** In the order of the names, those who left too; pictures as in `searchUsers`. By account_pkey. */
export function listUsers(db: Executor, usernames: string[]): Promise<UserRow[]> {
  return several(db, usernames)
}

/**
 * Active users whose username, last name or "first last" begins with `prefix`, in any case of
 * letters; the very username first, then by username. A bitmap of the three pattern indexes. The last
 * ones come without their pictures when those of all would be too large.
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

/** Apart from its execution, so that its plan can be tested. */
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

/** A bitmap of the three pattern indexes. */
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

/** Until the transaction ends, so that two replicas do not both make the first administrator. */
export async function lockAdministrators(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('identity administrators'))`.execute(tx)
}
