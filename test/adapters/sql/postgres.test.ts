import { startPostgresDatabase } from '../../support/databases/postgres.ts'
import { sqlCases } from './cases.ts'

sqlCases(startPostgresDatabase, () => ({
  'is a superuser': ['ALTER ROLE $ SUPERUSER'],
  'may create databases': ['ALTER ROLE $ CREATEDB'],
  'is a member of pg_write_all_data': ['GRANT pg_write_all_data TO $'],
  'owns public.own_': ['CREATE TABLE own_$ (a int)', 'ALTER TABLE own_$ OWNER TO $'],
  'may INSERT public.restock_data_stock': ['GRANT INSERT ON restock_data_stock TO $'],
  'may UPDATE columns of public.restock_data_stock': [
    'GRANT UPDATE (on_hand) ON restock_data_stock TO $',
  ],
  'may CREATE in the schema public': ['GRANT CREATE ON SCHEMA public TO $'],
  'may CREATE in the database erp': ['GRANT CREATE ON DATABASE erp TO $'],
  // Of a role that it may take on, though it has no rights of it by itself.
  'may DELETE public.restock_data_stock': [
    'CREATE ROLE clerk_$ NOINHERIT',
    'GRANT DELETE ON restock_data_stock TO clerk_$',
    'GRANT clerk_$ TO $ WITH INHERIT FALSE',
  ],
}))
