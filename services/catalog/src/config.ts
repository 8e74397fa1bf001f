import type { EnvReader } from '@figbase/kit/config'
import { readComputeDriver, readDefaultVendor } from '@figbase/kit/settings'
import { readBillingSettings } from './billing/settings.js'
import { readLimitSettings } from './limits.js'

export const readConfig = (env: EnvReader) => ({
  computeDriver: readComputeDriver(env),
  childrenMax: env.int('CHILDREN_MAX', 10_000, 'maximum number of children of an object'),
  nameCharsMax: env.int('NAME_CHARS_MAX', 500, 'maximum length of a name, in characters'),
  descriptionCharsMax: env.int(
    'DESCRIPTION_CHARS_MAX',
    100_000,
    'maximum length of a description, in characters',
  ),
  membersMax: env.int(
    'MEMBERS_MAX',
    1000,
    'maximum number of members of a workspace or organization',
  ),
  sharesMax: env.int(
    'SHARES_MAX',
    1000,
    'maximum number of users that an object can be shared with',
  ),
  invitationsMax: env.int(
    'INVITATIONS_MAX',
    1000,
    'maximum number of open invitations to a workspace or organization',
  ),
  invitationLifetimeMs: env.duration(
    'INVITATION_LIFETIME',
    '7d',
    'lifetime of an invitation that sets no expiry',
  ),
  invitationLifetimeMaxMs: env.duration(
    'INVITATION_LIFETIME_MAX',
    '30d',
    'maximum lifetime of an invitation',
  ),
  publicUrl: env.url('PUBLIC_URL', '', 'the public URL of Figbase, behind a proxy'),
  port: env.port('PORT', 8000, 'the port to listen on; 0: the system chooses one'),
  organizationLogoBytesMax: env.bytes(
    'ORGANIZATION_LOGO_BYTES_MAX',
    '256KiB',
    'maximum size of the logo of an organization',
  ),
  ...readLimitSettings(env),
  ...readBillingSettings(env),
  defaultVendor: readDefaultVendor(env),
  linkSharingShowsComments: env.bool(
    'LINK_SHARING_SHOWS_COMMENTS',
    false,
    'whether users who can view an object only through a shared link can read and write comments on it',
  ),
  activityScanMax: env.int(
    'ACTIVITY_SCAN_MAX',
    10_000,
    'maximum number of the newest activity entries that one request scans',
  ),
  staleScanMax: env.int(
    'STALE_SCAN_MAX',
    2000,
    'maximum number of figure revisions that one request for stale figures scans',
  ),
  staleToldMax: env.int(
    'STALE_TOLD_MAX',
    1000,
    'maximum number of figures that a new revision of an asset announces as stale; more are marked all the same',
  ),
  activityCountMax: env.int(
    'ACTIVITY_COUNT_MAX',
    1000,
    'maximum number of activity entries counted for `total_count`',
  ),
  deletedRetentionMs: env.duration(
    'DELETED_RETENTION',
    '30d',
    'how long deleted objects can be restored before their data and comments are purged',
  ),
  pendingSettleMs: env.duration(
    'PENDING_SETTLE_AFTER',
    '10m',
    'age after which an interrupted creation or update is settled',
  ),
})
export type Config = ReturnType<typeof readConfig>
