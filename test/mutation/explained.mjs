/**
 * The changes that no test need notice, and why: `text` of `file` (below `src`, as the compiler wrote it) replaced. One
 * that a test notices by now, or that is gone, fails the command.
 */
export const explained = [
  {
    group: 'identity/domain',
    file: 'domain/password',
    text: "''",
    replacement: '"Stryker was here!"',
    reason: 'one more word that passwords may not be made of, where the address is not known',
  },
  {
    group: 'identity/domain',
    file: 'domain/api-key-token',
    text: '[]',
    replacement: '["Stryker was here"]',
    reason: 'the first element is not read',
  },
  {
    group: 'identity/domain',
    file: 'domain/guessable',
    text: 'text.slice(0, ownersTextMax)',
    replacement: 'text',
    reason: 'bounds what an estimate costs, less than a test on a loaded machine can tell',
  },
  {
    group: 'identity/domain',
    file: 'domain/new-user',
    text: 'text.length > 2 * max',
    replacement: 'false',
    reason: 'the second condition says the same, and takes longer',
  },
  {
    group: 'catalog/access',
    file: 'access',
    text: "'analysis'",
    replacement: '""',
    reason: 'all that is no container is content',
  },
  {
    group: 'catalog/domain',
    file: 'domain/payload',
    text: 'one < other',
    replacement: 'one <= other',
    reason: 'no two members of an object have the same name',
  },
  {
    group: 'catalog/domain',
    file: 'domain/plan-terms',
    text: 'maxIdleSeconds !== undefined',
    replacement: 'true',
    reason: 'nothing is more than undefined',
  },
  {
    group: 'catalog/domain',
    file: 'domain/png',
    text: 'at + 4 <= bytes.length',
    replacement: 'at + 4 < bytes.length',
    reason: 'a chunk of which only the length is there is refused either way',
  },
  {
    group: 'comments/domain',
    file: 'domain/emoji',
    text: 'text.length > charsMax',
    replacement: 'false',
    reason: 'what is longer is no emoji either; the bound saves the time to see that',
  },
  {
    group: 'comments/domain',
    file: 'domain/emoji',
    text: 'text.length > charsMax',
    replacement: 'text.length >= charsMax',
    reason: 'no emoji is as long as the bound',
  },
  {
    group: 'comments/domain',
    file: 'domain/mentions',
    text: "''",
    replacement: '"Stryker was here!"',
    reason: 'the pattern has its group in every match',
  },
  {
    group: 'comments/domain',
    file: 'domain/mentions',
    text: '[]',
    replacement: '["Stryker was here"]',
    reason: 'a text has no type, which is looked at first',
  },
]
