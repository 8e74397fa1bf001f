/** The code to mutate, and the tests that must detect it. Domain code is tested by the files next to it. */
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

export const groups = [
  domain('identity'),
  domain('catalog'),
  domain('revisions'),
  domain('comments'),
  domain('tasks'),
  file('catalog', 'access'),
  file('kit', 'rpc/key-access'),
  file('comments', 'access'),
  file('catalog', 'quota'),
]
