import { sqlCases } from '../adapters/sql/cases.ts'
import { startMariadbDatabase } from '../support/databases/mariadb.ts'

sqlCases(startMariadbDatabase, () => ({
  'may INSERT on erp.restock_data_stock': ["GRANT INSERT ON erp.restock_data_stock TO $@'%'"],
  'may UPDATE on erp.restock_stock': ["GRANT UPDATE (on_hand) ON erp.restock_stock TO $@'%'"],
  'may ALL PRIVILEGES on erp.*': ["GRANT ALL PRIVILEGES ON erp.* TO $@'%'"],
  'may EXECUTE on erp.*': ["GRANT SELECT, EXECUTE ON erp.* TO $@'%'"],
  'may FILE on *.*': ["GRANT SELECT ON erp.* TO $@'%'", "GRANT FILE ON *.* TO $@'%'"],
  'may grant rights on erp.*': ["GRANT SELECT ON erp.* TO $@'%' WITH GRANT OPTION"],
  'may DELETE on erp.*': [
    "GRANT SELECT ON erp.* TO $@'%'",
    'CREATE ROLE clerk_$',
    'GRANT DELETE ON erp.* TO clerk_$',
    "GRANT clerk_$ TO $@'%'",
  ],
}))
