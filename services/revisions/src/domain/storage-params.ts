import { invalid, validateAll } from '@figbase/kit/errors'

export type Vendor = 'aws' | 's3'

/** What the caller says about a storage. */
export type StorageParams = {
  vendor: Vendor
  /** `https://host:port`. Empty for `aws`, like the region and the keys. */
  endpoint: string
  region: string
  bucket: string
  /** Without leading and trailing slashes. May be empty. */
  prefix: string
  /** Empty means the key that is stored already. */
  accessKey: string
  secretKey: string
  /** The parameters as the caller sent them, without keys. */
  publicParams: Record<string, string>
}

/** Throws `invalid` with the names of the members. `offered` lists the vendors for the error text. */
export function parseStorage(vendor: string, paramsJson: string, offered: string[]): StorageParams {
  if (vendor === 'aws') return parseAws(membersOf(paramsJson))
  if (vendor === 's3') return parseS3(membersOf(paramsJson))
  throw invalid('vendor', `must be one of ${offered.join(', ')}`)
}

type Members = Record<string, unknown>

function membersOf(json: string): Members {
  const params = parsed(json)
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    throw invalid('params', 'must be an object')
  }
  return { ...params }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function parseAws(members: Members): StorageParams {
  const bucket = bucketOf(members)
  const key = text(members, 'key') ?? ''
  return {
    vendor: 'aws',
    ...{ endpoint: '', region: '', accessKey: '', secretKey: '' },
    bucket,
    prefix: prefixOf('key', key),
    publicParams: { bucket, key },
  }
}

function parseS3(members: Members): StorageParams {
  const { endpoint, bucket, region, prefix, accessKey, secretKey } = validateAll({
    unknown: () => refuseUnknown(members, s3Members),
    endpoint: () => endpointOf(required(members, 'endpoint')),
    bucket: () => bucketOf(members),
    region: () => regionOf(members),
    prefix: () => prefixOf('prefix', text(members, 'prefix') ?? ''),
    accessKey: () => keyOf(members, 'access_key'),
    secretKey: () => keyOf(members, 'secret_key'),
  })
  if (secretKey && !accessKey) throw invalid('params.access_key', 'is required')
  return {
    vendor: 's3',
    ...{ endpoint, region, bucket, prefix, accessKey, secretKey },
    publicParams: { endpoint, region, bucket, prefix: text(members, 'prefix') ?? '' },
  }
}

const s3Members = ['endpoint', 'region', 'bucket', 'prefix', 'access_key', 'secret_key']

/** Because a misspelt `prefix` would store the data in another place. */
function refuseUnknown(members: Members, known: string[]) {
  const unknown = Object.keys(members).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw invalid(`params.${unknown.slice(0, 100)}`, `unknown member; known are ${known.join(', ')}`)
}

function regionOf(members: Members): string {
  const region = text(members, 'region') || 'us-east-1'
  if (!/^[\w-]{1,64}$/.test(region)) {
    throw invalid('params.region', 'must be the name of a region, for example us-east-1')
  }
  return region
}

function text(members: Members, name: string): string | undefined {
  const value = members[name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw invalid(`params.${name}`, 'must be a string')
  return value
}

function required(members: Members, name: string): string {
  const value = text(members, name)
  if (!value) throw invalid(`params.${name}`, 'is required')
  return value
}

/** The naming rules of S3, and of older buckets on other servers. */
function bucketOf(members: Members): string {
  const bucket = required(members, 'bucket')
  const isName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) && !bucket.includes('..')
  if (!isName) {
    throw invalid(
      'params.bucket',
      'must be 3 to 63 lower-case letters, digits, hyphens and dots, and must not begin or end with a hyphen or a dot',
    )
  }
  return bucket
}

function endpointOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url?.pathname === '/' && !url.search && !url.hash
  if (!isPlain || !/^https?:/.test(url.protocol) || url.username || url.password) {
    throw invalid('params.endpoint', 'must be a URL without a path, for example https://host:port')
  }
  return url.origin
}

const prefixCharsMax = 500

function prefixOf(name: string, text: string): string {
  const prefix = text.replace(/^\/+|\/+$/g, '')
  const parts = prefix === '' ? [] : prefix.split('/')
  const isPath = parts.every((part) => /^[\w .!'()*+,:=@-]+$/.test(part) && !/^\.+$/.test(part))
  if (!isPath || prefix.length > prefixCharsMax) {
    throw invalid(
      `params.${name}`,
      `must be a path of letters, digits, spaces and .!'()*+,:=@_-, with at most ${prefixCharsMax} characters`,
    )
  }
  return prefix
}

const keyCharsMax = 1000

function keyOf(members: Members, name: string): string {
  const key = text(members, name) ?? ''
  if (!/^[\x21-\x7e]*$/.test(key) || key.length > keyCharsMax) {
    throw invalid(`params.${name}`, `must be visible ASCII characters, at most ${keyCharsMax}`)
  }
  return key
}
