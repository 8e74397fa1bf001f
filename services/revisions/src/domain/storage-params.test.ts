import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectError } from '@connectrpc/connect'
import { detailOf } from '@figbase/kit/errors'
import { parseStorage } from './storage-params.js'

const offered = ['aws', 's3']
const s3 = (members: object) =>
  parseStorage('s3', JSON.stringify({ endpoint: 'https://s3.org', bucket: 'data', ...members }), [])
const aws = (members: object) => parseStorage('aws', JSON.stringify(members), [])

/** Field and reason of each problem. */
function refusals(parse: () => unknown): string[] {
  try {
    parse()
    return []
  } catch (error) {
    assert.ok(error instanceof ConnectError)
    const fields = detailOf(error)?.fields ?? []
    return fields.map(({ field, reason }) => `${field}: ${reason}`)
  }
}

const bucketRule =
  'params.bucket: must be 3 to 63 lower-case letters, digits, hyphens and dots, and must not begin or end with a hyphen or a dot'
const pathRule = (member: string) =>
  `params.${member}: must be a path of letters, digits, spaces and .!'()*+,:=@_-, with at most 500 characters`

test('an AWS storage has only a bucket and a key', () => {
  const empty = { endpoint: '', region: '', accessKey: '', secretKey: '' }
  assert.deepEqual(aws({ bucket: 'data', key: '/a/b/' }), {
    ...{ vendor: 'aws', ...empty, bucket: 'data', prefix: 'a/b' },
    publicParams: { bucket: 'data', key: '/a/b/' },
  })
  assert.deepEqual(aws({ bucket: 'data', key: null, other: 1 }), {
    ...{ vendor: 'aws', ...empty, bucket: 'data', prefix: '' },
    publicParams: { bucket: 'data', key: '' },
  })
})

test('an S3 storage has all members, and its public members have no keys', () => {
  const params = { region: 'eu-1', prefix: '/a/b/' }
  assert.deepEqual(s3({ ...params, access_key: 'AK', secret_key: 'SK' }), {
    ...{ vendor: 's3', endpoint: 'https://s3.org', region: 'eu-1', bucket: 'data', prefix: 'a/b' },
    ...{ accessKey: 'AK', secretKey: 'SK' },
    publicParams: { endpoint: 'https://s3.org', region: 'eu-1', bucket: 'data', prefix: '/a/b/' },
  })
})

test('optional members are empty, except for the region', () => {
  const region = 'us-east-1'
  for (const members of [{}, { region: '', prefix: null }, { access_key: '', secret_key: null }]) {
    assert.deepEqual(s3(members), {
      ...{ vendor: 's3', endpoint: 'https://s3.org', region, bucket: 'data', prefix: '' },
      ...{ accessKey: '', secretKey: '' },
      publicParams: { endpoint: 'https://s3.org', region, bucket: 'data', prefix: '' },
    })
  }
  assert.equal(s3({ access_key: 'AK' }).accessKey, 'AK')
})

test('rejects an unknown vendor, and params that are not an object', () => {
  assert.deepEqual(
    refusals(() => parseStorage('ftp', '{}', offered)),
    ['vendor: must be one of aws, s3'],
  )
  for (const json of ['', '{', '[]', 'null', '"text"', '7']) {
    for (const vendor of offered) {
      const refused = refusals(() => parseStorage(vendor, json, offered))
      assert.deepEqual(refused, ['params: must be an object'], json)
    }
  }
})

test('reports all problems at once', () => {
  const wrong = { endpoint: 7, bucket: 'X', region: 'a b', prefix: '..', access_key: 'ä' }
  assert.deepEqual(
    refusals(() => s3({ ...wrong, secret_key: [], prefixes: 'x' })),
    [
      'params.prefixes: unknown member; known are endpoint, region, bucket, prefix, access_key, secret_key',
      'params.endpoint: must be a string',
      bucketRule,
      'params.region: must be the name of a region, for example us-east-1',
      pathRule('prefix'),
      'params.access_key: must be visible ASCII characters, at most 1000',
      'params.secret_key: must be a string',
    ],
  )
  assert.deepEqual(
    refusals(() => aws({ key: '/' })),
    ['params.bucket: is required'],
  )
  assert.deepEqual(
    refusals(() => aws({ bucket: 'data', key: 7 })),
    ['params.key: must be a string'],
  )
  assert.deepEqual(
    refusals(() => aws({ bucket: 'data', key: '?' })),
    [pathRule('key')],
  )
})

test('cuts the name of an unknown member', () => {
  const [refused] = refusals(() => s3({ ['x'.repeat(101)]: 1 }))
  assert.equal(refused?.split(':')[0], `params.${'x'.repeat(100)}`)
})

test('requires the access key with a secret key', () => {
  assert.deepEqual(
    refusals(() => s3({ secret_key: 'SK' })),
    ['params.access_key: is required'],
  )
})

type Cases = { taken: unknown[]; refused: unknown[]; rule: string }
const cases: Record<string, Cases> = {
  bucket: {
    taken: ['abc', 'a-b.c9', '0a9', 'x'.repeat(63)],
    refused: ['ab', 'x'.repeat(64), 'aBc', 'a_c', '-bc', '.bc', 'ab-', 'ab.', 'a..c', 'abc\n'],
    rule: bucketRule,
  },
  region: {
    taken: ['a', 'eu_1-B', 'x'.repeat(64)],
    refused: ['x'.repeat(65), 'a b', ' a', 'a.', 'ä'],
    rule: 'params.region: must be the name of a region, for example us-east-1',
  },
  endpoint: {
    taken: ['http://s3.org:9000', 'https://s3.org', 'https://[::1]:9', 'https://s3.org/'],
    refused: [
      ...['s3.org', 'https://', 'ftp://s3.org', 'https://s3.org/a', 'https://s3.org?a=1'],
      ...['https://s3.org#a', 'https://ann@s3.org', 'https://:pw@s3.org'],
      ...['xhttps://s3.org/', 'httpsx://s3.org/'],
    ],
    rule: 'params.endpoint: must be a URL without a path, for example https://host:port',
  },
  prefix: {
    taken: ['a', 'a/b', "A 9.!'()*+,:=@_-", '..a', 'a..', 'x'.repeat(500), '', '/', '//a//'],
    refused: ['a//b', 'a/./b', '..', 'a/../b', 'a\\b', 'ä', 'a\0', 'x'.repeat(501), 'a/?', '?/a'],
    rule: pathRule('prefix'),
  },
  access_key: {
    taken: ['!', '~', 'AK/+=9', 'x'.repeat(1000)],
    refused: ['a b', ' a', 'a ', 'ä', '\x7f', 'x'.repeat(1001)],
    rule: 'params.access_key: must be visible ASCII characters, at most 1000',
  },
}
for (const [member, { taken, refused, rule }] of Object.entries(cases)) {
  test(`accepts valid values of ${member}`, () => {
    for (const value of taken) {
      assert.deepEqual(
        refusals(() => s3({ [member]: value })),
        [],
        `${value}`,
      )
    }
  })
  test(`rejects invalid values of ${member}`, () => {
    for (const value of refused) {
      assert.deepEqual(
        refusals(() => s3({ [member]: value })),
        [rule],
        `${value}`,
      )
    }
  })
}

test('normalizes the endpoint and the slashes of a path', () => {
  assert.equal(s3({ endpoint: 'HTTPS://S3.org:443/' }).endpoint, 'https://s3.org')
  assert.equal(s3({ prefix: '//a/b//' }).prefix, 'a/b')
})

test('requires an endpoint and a bucket', () => {
  for (const value of [undefined, null, '']) {
    assert.deepEqual(
      refusals(() => s3({ endpoint: value, bucket: value })),
      ['params.endpoint: is required', 'params.bucket: is required'],
    )
  }
})
