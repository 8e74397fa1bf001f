/** In the data directory: the password of the first administrator, until it is changed. */
export const adminPasswordName = 'admin-password'

/** As identity reads it. */
export const adminUsernameOf = ({ ADMIN_USERNAME }: NodeJS.ProcessEnv): string =>
  ADMIN_USERNAME || 'admin'
