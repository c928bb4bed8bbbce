using {restock.Demand} from '../demand';

// One B-tree in the order of the key: half the size, and rows of a series lie side by side.
annotate Demand with @sql.append: 'WITHOUT ROWID';
