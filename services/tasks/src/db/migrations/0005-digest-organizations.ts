export const digestOrganizations = {
  name: '0005-digest-organizations',
  sql: `
-- The digest also has what happens there.
alter table notification_settings add column digest_organizations uuid[];
`,
}
