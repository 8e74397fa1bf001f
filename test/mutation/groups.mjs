/** What is changed, and which tests are to notice. Rules are for the tests beside them. */
const domain = (service) => ({
  name: `${service}/domain`,
  dir: `services/${service}`,
  mutate: ['src/domain/'],
  tests: ['src/domain/'],
})

const file = (service, path) => ({
  name: `${service}/${path}`,
  dir: `services/${service}`,
  mutate: [`src/${path}.ts`],
  tests: [`src/${path}.test.ts`],
})

/** What decides in a database, and the tests of the whole service that ask for it. */
const decision = (service, path, tests) => ({
  name: `${service}/${path}`,
  dir: `services/${service}`,
  mutate: [`src/${path}.ts`],
  tests: tests.map((test) => `test/${test}.test.ts`),
  needsDatabase: true,
})

export const groups = [
  domain('identity'),
  domain('catalog'),
  domain('revisions'),
  domain('comments'),
  domain('tasks'),
  file('catalog', 'access'),
  file('kit', 'rpc/key-access'),
  decision('catalog', 'quota', ['storage-quota', 'restore-node']),
  decision('comments', 'access', ['comments', 'reactions']),
]
