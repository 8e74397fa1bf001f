import type { EnvReader } from '@figbase/kit'

export const readConfig = (env: EnvReader) => ({
  childrenMax: env.int('CHILDREN_MAX', 10_000, 'children that one object can have at most'),
  nameCharsMax: env.int('NAME_CHARS_MAX', 500, 'characters in a name at most'),
  descriptionCharsMax: env.int(
    'DESCRIPTION_CHARS_MAX',
    100_000,
    'characters in a description at most',
  ),
  organizationLogoBytesMax: env.bytes(
    'ORGANIZATION_LOGO_BYTES_MAX',
    '256KiB',
    'size of the logo of an organization',
  ),
  pendingSettleMs: env.duration(
    'PENDING_SETTLE_AFTER',
    '10m',
    'age at which a creation that never ended is settled',
  ),
})
export type Config = ReturnType<typeof readConfig>
