import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Keys, keysFrom, seal, unseal } from '@figbase/kit/keys'
import pg from 'pg'

/** The secrets in the file of a data directory. */
export async function secretsOf(dataDir: string): Promise<string[]> {
  return (await readFile(join(dataDir, 'secret-key'), 'utf8')).trim().split('\n')
}

export async function keysOf(dataDir: string): Promise<Keys> {
  const [current = '', ...previous] = await secretsOf(dataDir)
  return keysFrom(current, previous)
}

/** The built-in database of a running installation. */
export async function inDatabase<T>(
  dataDir: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const host = encodeURIComponent(join(dataDir, 'postgres'))
  const client = new pg.Client(`postgres://figbase@localhost/figbase?host=${host}`)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const place = (holder: string) => [holder, 's3', 'https://127.0.0.1:9', 'lab', 'figbase']

/** Inserts a registered storage without checking a server. */
export async function insertStorage(client: pg.Client, keys: Keys, secret: string): Promise<void> {
  const values = place(randomUUID())
  const sealed = seal(keys.derive('keys of storage'), secret, JSON.stringify(values))
  await client.query(
    `insert into revisions.storage
       (id, holder_id, vendor, endpoint, bucket, prefix, region, access_key, secret_sealed)
     values (gen_random_uuid(), $1, $2, $3, $4, $5, '', 'access', $6)`,
    [...values, sealed],
  )
}

/** Inserts a webhook with a previous secret. */
export async function insertWebhook(client: pg.Client, keys: Keys, secret: string): Promise<void> {
  const id = randomUUID()
  const ring = keys.derive('secrets of webhooks')
  await client.query(
    `insert into tasks.webhook (id, workspace_id, url, secret_sealed, previous_secret_sealed, events,
       object_ids, format, payload, is_active, created_by)
     values ($1, gen_random_uuid(), 'https://127.0.0.1:9', $2, $3, '{*}', '{}', 'json', 'thin', false, 'ann')`,
    [id, seal(ring, secret, id), seal(ring, `${secret} before`, id)],
  )
}

/** Inserts a Git repository with a token. */
export async function insertRepository(
  client: pg.Client,
  keys: Keys,
  secret: string,
): Promise<void> {
  const id = randomUUID()
  const ring = keys.derive('secrets of repositories')
  await client.query(
    `insert into revisions.git_repository (id, target_id, target_type, workspace_id, url, branch, include, exclude,
       schedule, token_sealed, push_secret_sealed, created_by)
     values ($1, gen_random_uuid(), 'analysis', gen_random_uuid(), 'https://127.0.0.1:9/a', 'main', '{}', '{}', '', $2,
       $3, 'ann')`,
    [
      id,
      seal(ring, secret, `token_sealed ${id}`),
      seal(ring, `${secret} push`, `push_secret_sealed ${id}`),
    ],
  )
}

/** Decrypts all secrets of storages, webhooks and Git repositories and private SSH keys; throws when one cannot be decrypted. */
export async function openAll(client: pg.Client, keys: Keys): Promise<string[]> {
  const { rows: storages } = await client.query<{ place: string[]; sealed: Buffer }>(
    `select array[holder_id::text, vendor, endpoint, bucket, prefix] as place,
            secret_sealed as sealed from revisions.storage`,
  )
  const { rows: sshKeys } = await client.query<{ id: string; sealed: Buffer }>(
    'select id, private_key_sealed as sealed from identity.ssh_key',
  )
  const { rows: webhooks } = await client.query<{ id: string; sealed: Buffer[] }>(
    'select id, array[secret_sealed, previous_secret_sealed] as sealed from tasks.webhook',
  )
  const { rows: repositories } = await client.query<{ id: string; token: Buffer; push: Buffer }>(
    'select id, token_sealed as token, push_secret_sealed as push from revisions.git_repository',
  )
  const secret = keys.derive('keys of storage')
  const ofRepository = keys.derive('secrets of repositories')
  const ofWebhook = keys.derive('secrets of webhooks')
  const privateKey = keys.derive('SSH keys')
  return [
    ...storages.map(({ place, sealed }) => unseal(secret, sealed, JSON.stringify(place))),
    ...sshKeys.map(({ id, sealed }) => unseal(privateKey, sealed, id)),
    ...webhooks.flatMap(({ id, sealed }) => sealed.map((one) => unseal(ofWebhook, one, id))),
    ...repositories.flatMap(({ id, token, push }) => [
      unseal(ofRepository, token, `token_sealed ${id}`),
      unseal(ofRepository, push, `push_secret_sealed ${id}`),
    ]),
  ].sort()
}
