import { type EnvReader, readDefaultVendor } from '@figbase/kit'
import { readLimitSettings } from './limits.js'

export const readConfig = (env: EnvReader) => ({
  childrenMax: env.int('CHILDREN_MAX', 10_000, 'children that one object can have at most'),
  nameCharsMax: env.int('NAME_CHARS_MAX', 500, 'characters in a name at most'),
  descriptionCharsMax: env.int(
    'DESCRIPTION_CHARS_MAX',
    100_000,
    'characters in a description at most',
  ),
  membersMax: env.int('MEMBERS_MAX', 1000, 'members that a workspace or an organization can have'),
  sharesMax: env.int('SHARES_MAX', 1000, 'users that one object can be shared with'),
  invitationsMax: env.int(
    'INVITATIONS_MAX',
    1000,
    'open invitations to a workspace or an organization',
  ),
  invitationLifetimeMs: env.duration(
    'INVITATION_LIFETIME',
    '7d',
    'how long an invitation can be accepted that does not say how long',
  ),
  invitationLifetimeMaxMs: env.duration(
    'INVITATION_LIFETIME_MAX',
    '30d',
    'how long any invitation can be accepted',
  ),
  publicUrl: env.url('PUBLIC_URL', '', 'the address of Figbase as people see it, behind a proxy'),
  port: env.port('PORT', 8000, 'its port; 0: the system chooses'),
  organizationLogoBytesMax: env.bytes(
    'ORGANIZATION_LOGO_BYTES_MAX',
    '256KiB',
    'size of the logo of an organization',
  ),
  ...readLimitSettings(env),
  defaultVendor: readDefaultVendor(env),
  linkSharingShowsComments: env.bool(
    'LINK_SHARING_SHOWS_COMMENTS',
    false,
    'whether whoever may view an object only because it is shared by link reads the comments on it, and may comment',
  ),
  activityScanMax: env.int(
    'ACTIVITY_SCAN_MAX',
    10_000,
    'entries of an activity log that one request looks at, the newest',
  ),
  activityCountMax: env.int(
    'ACTIVITY_COUNT_MAX',
    1000,
    'entries of an activity log that are counted for its `total_count`',
  ),
  deletedRetentionMs: env.duration(
    'DELETED_RETENTION',
    '30d',
    'how long what was deleted can be restored; then its data and its comments are purged',
  ),
  pendingSettleMs: env.duration(
    'PENDING_SETTLE_AFTER',
    '10m',
    'age at which a creation or an update that never ended is settled',
  ),
})
export type Config = ReturnType<typeof readConfig>
