/**
 * What is changed, which tests are to notice, and of a hundred changes how many they notice at least. Rules are for the
 * tests beside them.
 */
const domain = (service, scoreMin) => ({
  name: `${service}/domain`,
  dir: `services/${service}`,
  mutate: ['src/domain/'],
  tests: ['src/domain/'],
  scoreMin,
})

export const groups = [
  domain('identity', 0),
  domain('catalog', 0),
  {
    name: 'catalog/access',
    dir: 'services/catalog',
    mutate: ['src/access.ts'],
    tests: ['src/access.test.ts'],
    scoreMin: 0,
  },
  domain('revisions', 0),
  domain('comments', 0),
  domain('tasks', 0),
]
