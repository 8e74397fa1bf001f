import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'

/** A storage of a workspace or an organization. */
export type StorageRow = {
  id: string
  holder_id: string
  vendor: 'aws' | 's3'
  endpoint: string
  region: string
  bucket: string
  prefix: string
  access_key: string
  secret_sealed: Buffer
  /** Changes with the region and the keys. */
  version: number
}

export type StorageLocation = Pick<
  StorageRow,
  'holder_id' | 'vendor' | 'endpoint' | 'bucket' | 'prefix'
>

const columns =
  'id, holder_id, vendor, endpoint, region, bucket, prefix, access_key, secret_sealed, version'

const byId = statement<StorageRow>(`select ${columns} from storage where id = $1`)

/** By storage_pkey. */
export async function findStorage(db: Db, id: string): Promise<StorageRow | undefined> {
  return (await byId(db, id))[0]
}

type LocationValues = Omit<StorageLocation, 'holder_id'> & { holderId: string }

const byPlace = statement<StorageRow, LocationValues>(`
  select ${columns} from storage
   where holder_id = :holderId and vendor = :vendor and endpoint = :endpoint and bucket = :bucket
     and prefix = :prefix`)

/** By storage_place_key. */
export async function findStorageAt(
  db: Db,
  place: StorageLocation,
): Promise<StorageRow | undefined> {
  return (await byPlace(db, valuesOf(place)))[0]
}

type SavedValues = LocationValues &
  Pick<StorageRow, 'id' | 'region'> & { accessKey: string; secretSealed: Buffer }

const saved = statement<{ id: string }, SavedValues>(`
  insert into storage as s (id, holder_id, vendor, endpoint, bucket, prefix, region, access_key,
                            secret_sealed)
  values (:id, :holderId, :vendor, :endpoint, :bucket, :prefix, :region, :accessKey, :secretSealed)
  on conflict on constraint storage_place_key do update
     set region = excluded.region, access_key = excluded.access_key,
         secret_sealed = excluded.secret_sealed, version = s.version + 1
  returning id`)

/** The id of the storage at this location: a new one, or the existing one. */
export async function saveStorage(db: Db, storage: Omit<StorageRow, 'version'>): Promise<string> {
  const { id, region, access_key: accessKey, secret_sealed: secretSealed } = storage
  const [row] = await saved(db, { ...valuesOf(storage), id, region, accessKey, secretSealed })
  if (!row) throw new Error('saving a storage returned no row')
  return row.id
}

const valuesOf = ({ holder_id: holderId, ...place }: StorageLocation): LocationValues => ({
  holderId,
  ...place,
})
