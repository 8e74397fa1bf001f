import type { Ctx } from './context.js'

/** The address of Figbase in links of mails, without a slash at the end. */
export const publicAddress = ({ cfg }: Pick<Ctx, 'cfg'>): string =>
  cfg.publicUrl || `http://localhost:${cfg.port}`
