# Makes a man page of the help that fount and fountd print. A line "== TITLE" makes a section of the help that follows,
# which is a subcommand's. Variables: name, section, what (its one line), see (other pages), version, date.

function escape(s) {
    gsub(/\\/, "\\e", s)
    gsub(/-/, "\\-", s)
    return s ~ /^[.']/ ? "\\&" s : s
}

# put prints a line, or keeps it: the description comes before the usage in a help, and after it in a page.
function put(s) {
    if (begun) print s
    else description = description s "\n"
}

# end ends what is printed as it is.
function end() {
    if (!literal) return
    literal = 0
    print ".EE"
    if (description) printf ".SH DESCRIPTION\n%s", description
    description = ""
}

BEGIN {
    printf ".TH %s %s %s \"fount %s\"\n.SH NAME\n%s \\- %s\n", toupper(name), section, date, version, name, escape(what)
    header["Usage"] = "Synopsis"
    header["Flags"] = "Options"
}

/^== / { nested = 1; print ".SH " toupper(substr($0, 4)); next }

/^[A-Z][a-z]+( [a-z]+)*:$/ {
    begun = 1
    title = substr($0, 1, length($0) - 1)
    literal = title == "Usage" || title == "Examples"
    if (title in header) title = header[title]
    print (nested ? ".SS " title : ".SH " toupper(title)) (literal ? "\n.EX" : "")
    next
}

/^$/ { end(); gap = 1; next }

literal { print escape(substr($0, 3)); next }

/^[^ ]/ && gap { put(".PP") }

/^  (    )?[^ \t]/ { # a row: what stands left, two or more spaces, what it means
    sub(/^ +/, "")
    column = match($0, /  /)
    put(".TP\n.B " escape(column ? substr($0, 1, column - 1) : $0))
    if (!column) next
    $0 = substr($0, column)
}

{ gap = 0; sub(/^[ \t]+/, ""); put(escape($0)) }

END {
    end()
    print ".SH SEE ALSO\n" see
}
