import { toTimestamp } from '@figbase/kit/db'
import { requireAdministrator } from '../../administration.js'
import type { Ctx } from '../../context.js'
import { listBackups as listRows } from '../../queries/staff-actions.js'
import type { StaffImpl } from '../../routes.js'

const backupsMax = 100

export function listBackups({ db }: Ctx): StaffImpl['listBackups'] {
  return async (_req, call) => {
    await requireAdministrator(db, call)
    const rows = await listRows(db, backupsMax)
    const backups = rows.map(({ created_on, path, bytes }) => ({
      createdOn: toTimestamp(created_on),
      path,
      bytes,
    }))
    return { backups }
  }
}
